import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { locale, t } from '../../language/t.ts'

/**
 * Leads to a page of its own, where the card is entered into fields of the payment provider. Its number never reaches
 * Kitlane. Where the operator has not set these fields up, a card is added by the ID that the provider gave it.
 */
export function AddCard() {
  const begin = useWrite('post', '/api/v1/payment-methods/sessions')
  const [isLeaving, setLeaving] = useState(false)
  const leave = ({ url }: { url: string }) => {
    setLeaving(true)
    location.assign(`${url}?language=${locale()}`)
  }
  if (begin.error?.code === 'FEATURE_NOT_ENABLED') return <AttachById />
  return (
    <div>
      {begin.error && <ErrorAlert error={begin.error} />}
      <Button
        variant="default"
        mt="xs"
        loading={begin.isPending || isLeaving}
        onClick={() => begin.mutate({}, { onSuccess: leave })}
      >
        {t('Add a card')}
      </Button>
    </div>
  )
}

function AttachById() {
  const [id, setId] = useState('')
  const attach = useWrite('post', '/api/v1/payment-methods')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    attach.mutate({ body: { id: id.trim() } }, { onSuccess: () => setId('') })
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs" mt="xs">
        <TextInput
          label={t('Add a card')}
          description={t('The ID that your payment provider gave the card (pm_…)')}
          placeholder="pm_…"
          required
          flex={1}
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={attach.isPending} disabled={id.trim() === ''}>
          {t('Add')}
        </Button>
      </Group>
      {attach.error && <ErrorAlert error={attach.error} />}
    </form>
  )
}
