//! The load-bearing frame: columns, beams and braces of rolled, cut or drawn sections, on grids and between each other; footings and
//! piles below them.
//!
//! A member is a section along a straight axis. Its placement has z along the axis; the section lies in x and y, put to the axis
//! by its cardinal point. What stands on a grid's crossing, or ends at a column, remembers it, and follows it.

pub mod anchor;
pub mod answer;
pub mod crossing;
pub mod dress;
pub mod ends;
pub mod footing;
pub mod framed;
pub mod grid;
pub mod headroom;
pub mod line;
pub mod links;
pub mod member;
pub mod noun;
pub mod profile;
pub mod resection;
pub mod sections;
pub mod stop;
pub mod ties;
