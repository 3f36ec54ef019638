//! Edits by subject: free functions over a draft. What has arguments is an edit made here.
