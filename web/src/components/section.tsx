import { Group, Stack, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { Sheet } from './sheet.tsx'

interface SectionProps {
  title: string
  action?: ReactNode
  children: ReactNode
}

/** A part of an object's page, with its name and one action. */
export function Section({ title, action, children }: SectionProps) {
  const id = useId()
  return (
    <Sheet aria-labelledby={id}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} id={id}>
            {title}
          </Title>
          {action}
        </Group>
        {children}
      </Stack>
    </Sheet>
  )
}
