import { Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRealmPath } from '../app/realm.tsx'
import { IdText } from './id-text.tsx'
import { PageLink } from './page-link.tsx'
import { usePageTitle } from './page-title.ts'

interface PageHeaderProps {
  /** Also the tab's title. People before IDs: "Maya Lindqvist · Core Health". */
  title: string
  /** Shown small below the title, with a button that copies it. */
  id?: string | number | undefined
  /** The pages above this one, from the top: `[['orders', 'Orders']]`. */
  crumbs?: [path: string, label: string][]
  /** Beside the title: a status. */
  beside?: ReactNode
  /** One sentence below it. */
  sentence?: ReactNode
  /** The two or three actions that are allowed now. */
  actions?: ReactNode
}

export function PageHeader({ title, id, crumbs, beside, sentence, actions }: PageHeaderProps) {
  const path = useRealmPath()
  usePageTitle(title)
  return (
    <Stack gap={4} mb="lg">
      {crumbs && (
        <Breadcrumbs separator="›" fz="sm" className="no-print">
          {crumbs.map(([to, label]) => (
            <PageLink key={to} to={path(...to.split('/'))} size="sm">
              {label}
            </PageLink>
          ))}
          <Text size="sm" c="dimmed">
            {title}
          </Text>
        </Breadcrumbs>
      )}
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Group gap="md">
            <Title order={1}>{title}</Title>
            {beside}
          </Group>
          {id !== undefined && <IdText value={id} size="xs" />}
        </div>
        {actions && (
          <Group gap="xs" className="no-print">
            {actions}
          </Group>
        )}
      </Group>
      {sentence && (
        <Text c="dimmed" maw={720} component="div">
          {sentence}
        </Text>
      )}
    </Stack>
  )
}
