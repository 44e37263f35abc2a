import { Button, Divider, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { clientOf } from '../api/client.ts'
import { proveWithPasskey, takesPasskeys } from '../api/passkeys.ts'
import { signOut } from '../app/session.tsx'
import { ErrorAlert } from '../components/error-alert.tsx'
import { t } from '../language/t.ts'

// Above the dialog whose action asks for it.
const ABOVE = 400

interface ProofDialogProps {
  /** The proofs to choose from; undefined: nothing is asked. */
  by: readonly string[] | undefined
  close: (proved: boolean) => void
}

export function ProofDialog({ by, close }: ProofDialogProps) {
  return (
    <Modal
      opened={by !== undefined}
      onClose={() => close(false)}
      title={t('Confirm that it is you')}
      centered
      zIndex={ABOVE}
      transitionProps={{ duration: 0 }}
    >
      {by && <Ways by={by} onProved={() => close(true)} />}
    </Modal>
  )
}

function Ways({ by, onProved }: { by: readonly string[]; onProved: () => void }) {
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const prove = async (way: () => Promise<unknown>) => {
    setBusy(true)
    setError(undefined)
    try {
      await way()
      onProved()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  const byPasskey = by.includes('passkey') && takesPasskeys
  const typed = (['password', 'code'] as const).filter((way) => by.includes(way))
  if (!byPasskey && typed.length === 0) {
    return (
      <Stack gap="sm" align="flex-start">
        <Text>{t('You signed in more than 10 minutes ago. Sign in again before you go on.')}</Text>
        <Button onClick={() => void signOut()}>{t('Sign in again')}</Button>
      </Stack>
    )
  }
  return (
    <Stack gap="sm">
      <Text>{t('You signed in more than 10 minutes ago. Confirm that it is you before you go on.')}</Text>
      {byPasskey && (
        <Button onClick={() => void prove(proveWithPasskey)} loading={isBusy}>
          {t('Use a passkey')}
        </Button>
      )}
      {byPasskey && typed.length > 0 && <Divider label={t('or')} />}
      {typed.map((way) => (
        <TypedProof
          key={way}
          way={way}
          isBusy={isBusy}
          onGiven={(value) => void prove(() => clientOf().POST('/api/v1/session/proof', { body: { [way]: value } }))}
        />
      ))}
      {error !== undefined && <ErrorAlert error={error} />}
    </Stack>
  )
}

interface TypedProofProps {
  way: 'password' | 'code'
  isBusy: boolean
  onGiven: (value: string) => void
}

function TypedProof({ way, isBusy, onGiven }: TypedProofProps) {
  const [value, setValue] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form in a dialog is, to React, within the form that opened it.
    event.stopPropagation()
    onGiven(way === 'code' ? value.replace(/\s/g, '') : value)
  }
  const common = {
    required: true,
    value,
    onChange: (event: { currentTarget: { value: string } }) => setValue(event.currentTarget.value),
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs" align="flex-start">
        {way === 'password' ? (
          <PasswordInput label={t('Password')} autoComplete="current-password" w="100%" data-autofocus {...common} />
        ) : (
          <TextInput
            label={t('Code')}
            description={t('Of your authenticator app, or a recovery code')}
            autoComplete="one-time-code"
            w="100%"
            {...common}
          />
        )}
        <Button type="submit" variant={way === 'password' ? 'filled' : 'default'} loading={isBusy}>
          {way === 'password' ? t('Confirm') : t('Confirm with the code')}
        </Button>
      </Stack>
    </form>
  )
}
