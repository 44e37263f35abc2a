import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useLocation } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { t } from '../language/t.ts'
import { Icon } from './icon.tsx'
import type { ListState } from './list-state.ts'
import { readViews, type View, writeViews } from './views.ts'

/** The filters and the order of a list under names that this browser keeps, for each business and list. The search is not kept. */
export function SavedViews({ state }: { state: ListState }) {
  const { pathname } = useLocation()
  const [opened, { close, toggle }] = useDisclosure()
  const [views, setViews] = useState(() => readViews(pathname))
  const { q: _search, ...chosen } = state.filters
  const filters = { ...chosen, ...(state.sort && { sort: state.sort }) }
  const isFiltered = Object.keys(filters).length > 0
  if (views.length === 0 && !isFiltered) return null
  const keep = (next: View[]) => {
    writeViews(pathname, next)
    setViews(next)
  }
  const show = (view: View) => {
    const none = Object.fromEntries(['sort', ...Object.keys(state.filters)].map((key) => [key, undefined]))
    state.filter({ ...none, ...view.filters })
    close()
  }
  return (
    <Popover position="bottom-start" opened={opened} onChange={close} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="subtle" size="xs" onClick={toggle} rightSection={<Icon name="down" size={12} />}>
          {t('Views')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Views')}>
        <Stack gap="xs" w={240}>
          {views.map((view) => (
            <Group key={view.name} justify="space-between" wrap="nowrap" gap={4}>
              <Button variant="subtle" size="xs" onClick={() => show(view)}>
                {view.name}
              </Button>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('Remove {name}', { name: view.name })}
                onClick={() => keep(views.filter(({ name }) => name !== view.name))}
              >
                <Icon name="cross" size={14} />
              </ActionIcon>
            </Group>
          ))}
          {isFiltered ? (
            <NewView
              onSave={(name) => {
                keep([...views.filter((view) => view.name !== name), { name, filters }])
                close()
              }}
            />
          ) : (
            <Text size="xs" c="dimmed">
              {t('Choose filters to save them as a view.')}
            </Text>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function NewView({ onSave }: { onSave: (name: string) => void }) {
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave(name.trim())
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          size="xs"
          label={t('Save these filters as')}
          value={name}
          maxLength={40}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" disabled={name.trim() === ''}>
          {t('Save')}
        </Button>
      </Group>
    </form>
  )
}
