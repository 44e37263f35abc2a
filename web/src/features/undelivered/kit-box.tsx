import { Alert, Stack, Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { BoxActions } from './box-actions.tsx'
import { outcomeWords, todoOfBusiness } from './labels.ts'

/** On the page of a kit: what became of its box, while somebody has to act. */
export function KitBox({ kitID }: { kitID: string }) {
  const box = useRead('/api/v1/undelivered', { params: { query: { kitID } } }).data?.data[0]
  if (!box) return null
  return (
    <Alert variant="light" title={outcomeWords[box.outcome]}>
      <Stack gap="sm" align="flex-start">
        <Text>{todoOfBusiness(box)}</Text>
        <BoxActions box={box} />
      </Stack>
    </Alert>
  )
}
