import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A box on the right of a page with the facts of an object. Facts without a value are left out. */
export function Facts({
  title,
  facts,
  children,
}: {
  title: string
  facts?: [string, ReactNode][]
  children?: ReactNode
}) {
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} size="h3" mb="xs">
        {title}
      </Title>
      <Stack gap={6}>
        {facts
          ?.filter(([, value]) => value !== undefined && value !== null && value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <Text size="xs" c="dimmed">
                {name}
              </Text>
              <Text component="div" style={{ overflowWrap: 'anywhere' }}>
                {value}
              </Text>
            </div>
          ))}
        {children}
      </Stack>
    </Paper>
  )
}
