import { Alert } from '@mantine/core'

/** While it is not known whether a card was charged. */
export function SettlingNote() {
  return (
    <Alert color="blue" variant="light" title="The bank has not answered yet" role="status">
      The card was asked once, and is not charged twice. This page shows what became of it as soon as that is known. You
      can leave it, too: an order that was paid is in the list of orders.
    </Alert>
  )
}
