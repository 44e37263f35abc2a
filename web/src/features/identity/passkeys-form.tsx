import { Anchor, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { addPasskey, passkeyAddress, takesPasskeys } from '../../api/passkeys.ts'
import { SESSION_KEY } from '../../app/session.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { rich, t } from '../../language/t.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

/** Passkeys sign in without a password, and count as a second factor. */
export function PasskeysForm() {
  const cache = useQueryClient()
  const passkeys = useRead('/api/v1/session/passkeys')
  const [codes, setCodes] = useState<string[]>()
  const count = passkeys.data?.length ?? 0
  const refresh = () => void cache.invalidateQueries({ queryKey: SESSION_KEY })
  return (
    <Sheet aria-label={t('Passkeys')}>
      <Stack gap="sm" align="flex-start">
        <Title order={2}>{t('Passkeys')}</Title>
        <Text c="dimmed">
          {t(
            'Sign in with your fingerprint, face or the PIN of a device. A passkey counts as a second factor: once you have one, your password alone no longer signs you in.',
          )}
        </Text>
        {passkeys.error && <ErrorAlert error={passkeys.error} />}
        {passkeys.data?.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} isLast={count === 1} onRemoved={refresh} />
        ))}
        {codes && (
          <RecoveryCodes
            codes={codes}
            onDone={() => {
              setCodes(undefined)
              refresh()
            }}
          />
        )}
        {!codes && takesPasskeys && (
          <Add
            suggestion={t('Passkey {number}', { number: count + 1 })}
            onAdded={async (recoveryCodes) => {
              await cache.invalidateQueries({ queryKey: [''] })
              if (recoveryCodes) setCodes(recoveryCodes)
              else refresh()
            }}
          />
        )}
        {!takesPasskeys && <NotHere />}
      </Stack>
    </Sheet>
  )
}

interface PasskeyRowProps {
  passkey: { id: string; name: string; createdDate: string; lastUsedDate?: string }
  isLast: boolean
  onRemoved: () => void
}

function PasskeyRow({ passkey: { id, name, createdDate, lastUsedDate }, isLast, onRemoved }: PasskeyRowProps) {
  const remove = useWrite('delete', '/api/v1/session/passkeys/{passkeyID}')
  const added = <RelativeDate value={createdDate} />
  return (
    <Group justify="space-between" w="100%" wrap="nowrap">
      <div>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {lastUsedDate
            ? rich('Added {added}, last used {used}', { added, used: <RelativeDate value={lastUsedDate} /> })
            : rich('Added {added}, never used', { added })}
        </Text>
      </div>
      <ConfirmButton
        label={t('Remove')}
        size="xs"
        isDangerous
        sentence={
          isLast
            ? t('{name} no longer signs you in. It is your last passkey.', { name })
            : t('{name} no longer signs you in.', { name })
        }
        action={async () => {
          await remove.mutateAsync({ params: { path: { passkeyID: id } } })
          onRemoved()
        }}
        done={t('The passkey was removed')}
      />
    </Group>
  )
}

function Add({ suggestion, onAdded }: { suggestion: string; onAdded: (codes: string[] | undefined) => Promise<void> }) {
  const [name, setName] = useState<string>()
  const shown = name ?? suggestion
  return (
    <ConfirmButton
      label={t('Add a passkey')}
      variant="filled"
      sentence={t('Your browser asks for the device to use: this one, your phone or a security key.')}
      action={async () => {
        const codes = await addPasskey(shown.trim())
        setName(undefined)
        await onAdded(codes)
      }}
      done={t('The passkey was added')}
    >
      <TextInput
        label={t('Name')}
        description={t('So that you know later which one it is')}
        required
        maxLength={100}
        value={shown}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ConfirmButton>
  )
}

function NotHere() {
  return (
    <Text>
      {passkeyAddress
        ? rich('Browsers offer no passkeys for an IP address. Open {address} instead.', {
            address: (
              <Anchor href={passkeyAddress} underline="always">
                {passkeyAddress}
              </Anchor>
            ),
          })
        : t('This browser offers no passkeys here: they need a host name with https.')}
    </Text>
  )
}
