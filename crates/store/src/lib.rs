//! The only durable state: models, versions, refs, events, audit, sessions in a database; blobs in a bucket.
