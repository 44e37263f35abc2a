import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

export interface EmptyStateProps {
  title: string
  /** What this is. */
  text: ReactNode
  /** The one next step. */
  action?: ReactNode
}

export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <Paper withBorder p="xl">
      <Stack gap="xs" align="flex-start" maw={560}>
        <Title order={2}>{title}</Title>
        <Text c="dimmed" component="div">
          {text}
        </Text>
        {action}
      </Stack>
    </Paper>
  )
}
