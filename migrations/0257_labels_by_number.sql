-- Concurrently:
-- Whose label a number is on.
create index concurrently if not exists shipping_labels_number on shipping_labels (number) where number is not null;
-- What a person must look at: besides what shipping_labels_attention has, other prices than offered, and purchases and files that do not come.
create index concurrently if not exists shipping_labels_to_see on shipping_labels (changed_at desc, id)
  where live and (state in ('refused', 'voidRefused') or reason in ('price', 'badDocument') or (state in ('queued', 'bought') and due_at is not null));
