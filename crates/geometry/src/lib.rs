//! Shapes: IFC representations become solids, meshes, quantities and tiles. It reads models and changes none.
