import { Button, Group, Menu, Popover, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '../language/t.ts'
import { Icon } from './icon.tsx'
import type { ListState } from './list-state.ts'

export type Filter =
  | { kind?: 'choice'; key: string; label: string; options: readonly { value: string; label: string }[] }
  | { kind: 'dates'; key: string; label: string; from: string; to: string }
  | { kind: 'text'; key: string; label: string }

/** A filter as a chip: grey with its name, or highlighted with its value. */
export function FilterChip({ filter, state }: { filter: Filter; state: ListState }) {
  if (filter.kind === 'dates') return <DatesChip filter={filter} state={state} />
  if (filter.kind === 'text') return <TextChip filter={filter} state={state} />
  return <ChoiceChip filter={filter} state={state} />
}

function ChoiceChip({ filter, state }: { filter: Extract<Filter, { kind?: 'choice' }>; state: ListState }) {
  const value = state.filters[filter.key]
  const chosen = filter.options.find((option) => option.value === value)
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Chip label={filter.label} value={chosen?.label ?? value} />
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        <Menu.Item onClick={() => state.filter({ [filter.key]: undefined })}>{t('Any')}</Menu.Item>
        {filter.options.map((option) => (
          <Menu.Item
            key={option.value}
            onClick={() => state.filter({ [filter.key]: option.value })}
            rightSection={option.value === value ? <Icon name="check" size={14} /> : undefined}
          >
            {option.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function DatesChip({ filter, state }: { filter: Extract<Filter, { kind: 'dates' }>; state: ListState }) {
  const from = state.filters[filter.from]
  const to = state.filters[filter.to]
  const value = from || to ? t('{from} to {to}', { from: from ?? '…', to: to ?? '…' }) : undefined
  const set = (key: string) => (event: { currentTarget: { value: string } }) =>
    state.filter({ [key]: event.currentTarget.value || undefined })
  return (
    <Popover position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <Chip label={filter.label} value={value} />
      </Popover.Target>
      <Popover.Dropdown aria-label={filter.label}>
        <Stack gap="xs">
          <TextInput size="xs" type="date" label={t('From')} value={from ?? ''} onChange={set(filter.from)} />
          <TextInput size="xs" type="date" label={t('To')} value={to ?? ''} onChange={set(filter.to)} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

/** What is typed counts on Enter, or when the field is left. */
function TextChip({ filter, state }: { filter: Extract<Filter, { kind: 'text' }>; state: ListState }) {
  const value = state.filters[filter.key]
  const [isOpen, setOpen] = useState(false)
  const take = (text: string) => {
    if (text.trim() !== (value ?? '')) state.filter({ [filter.key]: text.trim() || undefined })
  }
  return (
    <Popover position="bottom-start" trapFocus returnFocus opened={isOpen} onChange={setOpen}>
      <Popover.Target>
        <Chip label={filter.label} value={value} onClick={() => setOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown aria-label={filter.label}>
        <TextInput
          size="xs"
          label={filter.label}
          defaultValue={value ?? ''}
          onBlur={(event) => take(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            take(event.currentTarget.value)
            setOpen(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function Chip({ label, value, ...rest }: { label: string; value: string | undefined; onClick?: () => void }) {
  return (
    <Button {...rest} variant={value ? 'light' : 'default'} size="xs" radius="xl" fw={value ? 600 : 400}>
      <Group gap={4} wrap="nowrap">
        {value ? `${label}: ${value}` : label}
        <Icon name="down" size={12} />
      </Group>
    </Button>
  )
}
