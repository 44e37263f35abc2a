import { Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useRealmPath } from '../app/realm.tsx'
import { CopyIcon } from './id-text.tsx'
import { PageLink } from './page-link.tsx'

interface PageHeaderProps {
  /** Also the tab's title. */
  title: string
  /** Shown after the title, with a button that copies it. */
  id?: string
  /** The pages above this one, from the top: `[['orders', 'Orders']]`. */
  crumbs?: [path: string, label: string][]
  /** Beside the title: a status, an ID to copy. */
  beside?: ReactNode
  /** One sentence below it. */
  sentence?: ReactNode
  /** The two or three actions that are allowed now. */
  actions?: ReactNode
}

export function PageHeader({ title: words, id, crumbs, beside, sentence, actions }: PageHeaderProps) {
  const path = useRealmPath()
  const title = id === undefined ? words : `${words} ${id}`
  useEffect(() => {
    document.title = `${title} · Kitlane`
  }, [title])
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
      <Group justify="space-between" gap="sm">
        <Group gap="md">
          <Group gap={4}>
            <Title order={1}>{title}</Title>
            {id !== undefined && <CopyIcon value={id} />}
          </Group>
          {beside}
        </Group>
        {actions && (
          <Group gap="xs" className="no-print">
            {actions}
          </Group>
        )}
      </Group>
      {sentence && (
        <Text c="dimmed" maw={720}>
          {sentence}
        </Text>
      )}
    </Stack>
  )
}
