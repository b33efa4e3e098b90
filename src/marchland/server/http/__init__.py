"""HTTP plumbing: authentication, limits, errors, protocols."""
