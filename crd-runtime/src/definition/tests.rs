//! Definitions, case by case.
