import { Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useOperatorRoles } from '../../app/permissions.ts'
import { StatusDot } from '../../components/status-dot.tsx'
import { locale, t } from '../../language/t.ts'
import { addressOf, type Connection } from './connection-draft.ts'

interface ConnectionSummaryProps {
  laboratory: { id: string; name: string }
  /** Undefined: it gets no orders. */
  connection: Connection | undefined
}

/** How a laboratory gets orders, in a few words, with the way to change it. */
export function ConnectionSummary({ laboratory: { id, name }, connection }: ConnectionSummaryProps) {
  const { isAdmin } = useOperatorRoles()
  const label = connection ? t('Change how it gets orders') : t('Say how it gets orders')
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <StateOf connection={connection} />
        {connection && <Text c="dimmed">{factsOf(connection).join(' · ')}</Text>}
      </div>
      {isAdmin && (
        <Button
          component={Link}
          to={`/operator/laboratories/${id}/orders`}
          variant="default"
          size="xs"
          aria-label={t('{label}: {name}', { label, name })}
        >
          {label}
        </Button>
      )}
    </Group>
  )
}

function StateOf({ connection }: { connection: Connection | undefined }) {
  if (!connection) return <StatusDot tone="idle">{t('Gets no orders')}</StatusDot>
  return connection.isActive ? (
    <StatusDot tone="good">{t('Gets orders')}</StatusDot>
  ) : (
    <StatusDot tone="fair">{t('Gets no new orders')}</StatusDot>
  )
}

const ways: Record<Connection['transport']['kind'], (address: string) => string> = {
  mllp: (address) => t('over MLLP at {address}', { address }),
  https: (address) => t('over HTTPS at {address}', { address }),
  folder: (address) => t('in the folder {address}', { address }),
}

const regions = new Intl.DisplayNames(locale(), { type: 'region' })

function factsOf({ transport, tests, capacityPerDay, routedToday, countries, states }: Connection): string[] {
  const today =
    capacityPerDay === null
      ? t('{count, plural, one {# order today} other {# orders today}}', { count: routedToday })
      : t('{count} of {most, plural, one {# order} other {# orders}} today', {
          count: routedToday,
          most: capacityPerDay,
        })
  return [
    ways[transport.kind](addressOf(transport)),
    t('{count, plural, one {# test} other {# tests}}', { count: tests.length }),
    today,
    ...(countries.length > 0 ? [countries.map((code) => regions.of(code) ?? code).join(', ')] : []),
    ...(states.length > 0 ? [t('states {states}', { states: states.join(', ') })] : []),
  ]
}
