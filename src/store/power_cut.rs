//! A disk that forgets: writes that were not synced are lost, kept or torn when the power goes.
