import { Group, Select } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import type { Token } from '../../api/shapes.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { AddressField, listed } from './token-addresses.tsx'

interface TokenActionsProps {
  token: Token
  onRotated: (token: string) => void
}

export function TokenActions({ token, onRotated }: TokenActionsProps) {
  if (token.revokedDate) return <StatusDot tone="idle">{t('Revoked')}</StatusDot>
  const isOver = token.expiresDate !== undefined && Date.parse(token.expiresDate) <= Date.now()
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      {!isOver && !token.replacedBy && <Rotate token={token} onRotated={onRotated} />}
      {!isOver && <Addresses token={token} />}
      <Revoke token={token} />
    </Group>
  )
}

const overlaps = [
  ['0', t('It ends at once')],
  ['1', t('For 1 hour')],
  ['24', t('For 1 day')],
  ['72', t('For 3 days')],
  ['168', t('For 7 days')],
].map(([value = '', label = '']) => ({ value, label }))

function Rotate({ token, onRotated }: TokenActionsProps) {
  const [overlap, setOverlap] = useState('24')
  const rotate = useWrite('post', '/api/v1/tokens/{tokenID}/rotate')
  return (
    <ConfirmButton
      label={t('Rotate')}
      size="xs"
      sentence={t('Makes a new secret with the name, scopes and addresses of {name}. It is valid for a year.', {
        name: token.name,
      })}
      action={async () => {
        const body = { overlapHours: Number(overlap) }
        const made = await rotate.mutateAsync({ params: { path: { tokenID: token.id } }, body })
        onRotated(made.token)
      }}
    >
      <Select
        label={t('The old secret stays valid')}
        data={overlaps}
        value={overlap}
        onChange={(value) => value && setOverlap(value)}
        allowDeselect={false}
      />
    </ConfirmButton>
  )
}

function Addresses({ token }: { token: Token }) {
  const [text, setText] = useState(token.addresses?.join(', ') ?? '')
  const change = useWrite('patch', '/api/v1/tokens/{tokenID}')
  return (
    <ConfirmButton
      label={t('Addresses')}
      size="xs"
      sentence={t('From where programs may use {name}. It counts at once.', { name: token.name })}
      action={() => {
        const addresses = listed(text)
        const body = { addresses: addresses.length > 0 ? addresses : null }
        return change.mutateAsync({ params: { path: { tokenID: token.id } }, body })
      }}
      done={t('Saved')}
    >
      <AddressField value={text} onChange={setText} />
    </ConfirmButton>
  )
}

function Revoke({ token }: { token: Token }) {
  const revoke = useWrite('delete', '/api/v1/tokens/{tokenID}')
  return (
    <ConfirmButton
      label={t('Revoke')}
      size="xs"
      isDangerous
      sentence={t('Programs that use {name} are refused from now on. This cannot be undone.', { name: token.name })}
      action={() => revoke.mutateAsync({ params: { path: { tokenID: token.id } } })}
      done={t('The token was revoked')}
    />
  )
}
