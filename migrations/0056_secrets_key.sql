-- Once a master key has replaced another everywhere, it is recorded instead.
grant update on encryption_key to kitlane_system;
