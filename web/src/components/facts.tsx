import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './facts.module.css'
import { Sheet } from './sheet.tsx'

/** Facts of an object on the right of its page, name and value on a line. Facts without a value are left out. */
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
    <Sheet>
      <Title order={2} size="h3" mb="xs">
        {title}
      </Title>
      <Stack gap={8}>
        {facts
          ?.filter(([, value]) => value !== undefined && value !== null && value !== '')
          .map(([name, value]) => (
            <div key={name} className={css.fact}>
              <Text size="xs" c="dimmed" className={css.name}>
                {name}
              </Text>
              <Text component="div" style={{ overflowWrap: 'anywhere' }}>
                {value}
              </Text>
            </div>
          ))}
        {children}
      </Stack>
    </Sheet>
  )
}
