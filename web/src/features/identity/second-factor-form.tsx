import { Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { SESSION_KEY } from '../../app/session.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { IdText } from '../../components/id-text.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

/** Sets up a code from an authenticator app besides the password (TOTP). */
export function SecondFactorForm({ isOn }: { isOn: boolean }) {
  const cache = useQueryClient()
  const [codes, setCodes] = useState<string[]>()
  const start = useWrite('post', '/api/v1/session/totp')
  const refresh = () => void cache.invalidateQueries({ queryKey: SESSION_KEY })
  return (
    <Sheet>
      <Stack gap="sm" align="flex-start">
        <Group>
          <Title order={2}>{t('Codes of an app')}</Title>
          <StatusDot tone={isOn ? 'good' : 'idle'}>{isOn ? t('On') : t('Off')}</StatusDot>
        </Group>
        <Text c="dimmed">
          {t(
            'Sign in with your password and a code from an app on your phone. A stolen password alone is then useless.',
          )}
        </Text>
        {codes && (
          <RecoveryCodes
            codes={codes}
            onDone={() => {
              setCodes(undefined)
              refresh()
            }}
          />
        )}
        {!codes && isOn && <SwitchOff onDone={refresh} />}
        {!codes && !isOn && !start.data && (
          <SwitchOn onStart={(password) => start.mutateAsync({ body: { password } })} />
        )}
        {!codes && !isOn && start.data && <Scan setup={start.data} onCodes={setCodes} />}
      </Stack>
    </Sheet>
  )
}

function Password({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <PasswordInput
      label={t('Current password')}
      autoComplete="current-password"
      required
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function SwitchOn({ onStart }: { onStart: (password: string) => Promise<unknown> }) {
  const [password, setPassword] = useState('')
  return (
    <ConfirmButton
      label={t('Switch on')}
      variant="filled"
      sentence={t('Enter your password to confirm that it is you.')}
      action={() => onStart(password)}
    >
      <Password value={password} onChange={setPassword} />
    </ConfirmButton>
  )
}

function Scan({ setup, onCodes }: { setup: { secret: string; qrSvg: string }; onCodes: (codes: string[]) => void }) {
  const [code, setCode] = useState('')
  const confirm = useWrite('post', '/api/v1/session/totp/confirm')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirm.mutate(
      { body: { code: code.replace(/\s/g, '') } },
      { onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes) },
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" align="flex-start">
        <Text>{t('1. Scan this code with an authenticator app, or type the key.')}</Text>
        <img
          src={`data:image/svg+xml;utf8,${encodeURIComponent(setup.qrSvg)}`}
          alt={t('QR code for the authenticator app')}
          width={200}
          height={200}
          style={{ background: '#fff', padding: 8 }}
        />
        <IdText value={setup.secret} />
        <TextInput
          label={t('2. Type the code that the app shows')}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        {confirm.error && <ErrorAlert error={confirm.error} />}
        <Button type="submit" loading={confirm.isPending}>
          {t('Confirm')}
        </Button>
      </Stack>
    </form>
  )
}

function SwitchOff({ onDone }: { onDone: () => void }) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const remove = useWrite('delete', '/api/v1/session/totp')
  return (
    <ConfirmButton
      label={t('Switch off')}
      isDangerous
      sentence={t('You no longer sign in with codes of the app.')}
      action={async () => {
        await remove.mutateAsync({ body: { password, code: code.replace(/\s/g, '') } })
        onDone()
      }}
      done={t('The codes are off')}
    >
      <Password value={password} onChange={setPassword} />
      <TextInput
        label={t('Code')}
        description={t('From the app, or a recovery code')}
        required
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </ConfirmButton>
  )
}
