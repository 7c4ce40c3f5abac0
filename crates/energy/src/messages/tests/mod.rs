//! Messages and mends on small models.
