import { Stack, Text } from '@mantine/core'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { type Box, boxLabel, outcomeWords } from './labels.ts'

/** What happened to a box, and where that stands now. */
export function BoxState({ box }: { box: Box }) {
  const { label, tone } = boxLabel(box)
  const more = [
    box.isHere && t('The box is with the operator'),
    box.times > 1 && t('{times} times', { times: box.times }),
  ]
  return (
    <Stack gap={2}>
      <Text>{outcomeWords[box.outcome]}</Text>
      <StatusDot tone={tone}>{label}</StatusDot>
      <Text size="xs" c="dimmed">
        {more.filter(Boolean).join(' · ')}
      </Text>
    </Stack>
  )
}
