//! Authoring as a careful modeller would do it: walls, slabs, openings, spaces and what must follow when one of them changes.
