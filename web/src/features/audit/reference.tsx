import { Anchor, Text, Tooltip } from '@mantine/core'
import { t } from '../../language/t.ts'

// Enough to tell two IDs apart. The tooltip shows the whole ID, and a click filters by it.
const SHOWN = 10

/** `user:usr_LDMhrKReEfadNdUKFqLLm6` as "user usr_LDMhrK…". */
export function Reference({ kind, id, onPress }: { kind: string; id: string; onPress: () => void }) {
  if (id === '*') return <>{t('{kind}, a list', { kind })}</>
  if (id === '') return <>{kind}</>
  return (
    <Tooltip label={id}>
      <Anchor component="button" type="button" size="sm" onClick={onPress} style={{ whiteSpace: 'nowrap' }}>
        {kind}{' '}
        <Text span ff="monospace" size="xs">
          {id.length > SHOWN + 2 ? `${id.slice(0, SHOWN)}…` : id}
        </Text>
      </Anchor>
    </Tooltip>
  )
}

/** "user:usr_1" is the user usr_1; "cli" is itself. */
export function partsOf(actor: string): { kind: string; id: string } {
  const at = actor.indexOf(':')
  return at < 0 ? { kind: actor, id: '' } : { kind: actor.slice(0, at), id: actor.slice(at + 1) }
}
