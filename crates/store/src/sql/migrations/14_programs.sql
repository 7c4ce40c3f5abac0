-- The version of the program that made each step, from this one on: an earlier program that finds a later step can say of whom it is.
ALTER TABLE migrations ADD COLUMN program TEXT;
