import type { components } from '@kitlane/client'
import { Group, Paper, Text, Title } from '@mantine/core'

/** What the laboratory sent and nothing judged, each with the reason; nothing where there is none. */
export function NotAssessed({ results }: { results: readonly components['schemas']['UnassessedResult'][] }) {
  if (results.length === 0) return null
  return (
    <Paper withBorder p="md" component="section" aria-label="Not assessed">
      <Title order={2} mb="xs">
        Not assessed
      </Title>
      {results.map(({ name, value, unit, range, flag, reason }, index) => (
        <Group key={index} gap="md" py={6} align="flex-start">
          <Text w={220} fw={500}>
            {name}
          </Text>
          <Text ff="monospace">
            {[value || 'no value', unit, range && `(${range})`, flag].filter(Boolean).join(' ')}
          </Text>
          <Text c="dimmed">{reason || 'The value could not be judged.'}</Text>
        </Group>
      ))}
    </Paper>
  )
}
