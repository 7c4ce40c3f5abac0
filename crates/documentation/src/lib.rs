//! Drawings, sheets and reports of a building, as pages.
