import { Alert, Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../language/t.ts'
import { Done } from './labels.tsx'

/** On the page of a kit: that it was recalled, and what was done. */
export function BusinessRecall({ kitID }: { kitID: string }) {
  const kits = useRead('/api/v1/recalled-kits', { params: { query: { kitID } } }).data?.data ?? []
  return kits.map((kit) => (
    <Alert key={kit.recallID} variant="light" color="red" title={t('Recalled')}>
      <Text size="sm">{kit.reason}</Text>
      <Done kit={kit} />
    </Alert>
  ))
}
