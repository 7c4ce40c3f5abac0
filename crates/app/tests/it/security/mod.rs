//! What a stranger, a colleague with too few rights, and a page in somebody's browser try over HTTP, and what each is
//! answered. `docs/security.md` lists these tests beside the threats.

mod approvals;
mod audit;
mod bodies;
mod client_roots;
mod floods;
mod gates;
mod in_person;
mod integrity;
mod keys;
mod links;
mod loopback;
mod objects;
pub mod office;
mod paths;
mod proxy;
mod scripts;
mod sessions;
mod shared;
mod soak;
mod tokens;
