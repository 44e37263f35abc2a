import { Alert } from '@mantine/core'
import { t } from '../../language/t.ts'

/** Shown while it is not known whether a card was charged. */
export function SettlingNote() {
  return (
    <Alert color="blue" variant="light" title={t('The bank has not answered yet')} role="status">
      {t(
        'The card is not charged twice. This page shows the outcome as soon as the bank answers. You can also leave it: an order that was paid appears in the list of orders.',
      )}
    </Alert>
  )
}
