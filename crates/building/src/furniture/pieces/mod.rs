//! The parts of each kind of furniture, by its width, depth and height.

mod living;
mod sanitary;
mod storage;

use super::block::{Block, Finish};
use super::kinds::Kind;
use glam::DVec3;

/// The parts of a piece, and the finish of most of it, to which a colour or material that is asked for applies.
pub(super) fn parts(kind: Kind, size: DVec3) -> (Vec<Block>, Finish) {
    match kind {
        Kind::Bed | Kind::DoubleBed => (living::bed(size), Finish::Wood),
        Kind::Table | Kind::CoffeeTable => (living::table(size), Finish::Wood),
        Kind::RoundTable => (living::round_table(size), Finish::Wood),
        Kind::Chair => (living::chair(size), Finish::Wood),
        Kind::Sofa | Kind::Armchair => (living::sofa(size), Finish::Fabric),
        Kind::Desk => (storage::desk(size), Finish::Wood),
        Kind::Wardrobe => (storage::wardrobe(size), Finish::Board),
        Kind::Shelf => (storage::shelf(size), Finish::Wood),
        Kind::KitchenRun => (storage::kitchen(size), Finish::Board),
        Kind::Wc => (sanitary::wc(size), Finish::Ceramic),
        Kind::Basin => (sanitary::basin(size), Finish::Ceramic),
        Kind::Shower => (sanitary::shower(size), Finish::Ceramic),
        Kind::Bath => (sanitary::bath(size), Finish::Ceramic),
        Kind::LiftCar => (sanitary::lift_car(size), Finish::Metal),
    }
}
