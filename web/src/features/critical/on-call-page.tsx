import type { components } from '@kitlane/client'
import { Button, Group, NumberInput, Paper, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { usePermissions } from '../../app/permissions.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SettingsTabs } from '../../frame/settings-tabs.tsx'
import { t } from '../../language/t.ts'

type Contact = components['schemas']['OnCallList']['contacts'][number]

const MOST = 10

/** Who is notified of critical results, in order. */
export function OnCallPage() {
  const list = useRead('/api/v1/on-call')
  return (
    <>
      <PageHeader
        title={t('On call')}
        sentence={t(
          'Who is notified of a critical result, one after the other, each with a time to acknowledge it. The last one is notified again. The e-mails do not say what the result is.',
        )}
      />
      <SettingsTabs />
      {list.error && !list.data && <ErrorAlert error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <Skeleton height={240} />}
      {list.data && <ContactsForm key={JSON.stringify(list.data)} saved={list.data.contacts} />}
    </>
  )
}

function ContactsForm({ saved }: { saved: readonly Contact[] }) {
  const { write } = usePermissions()
  const [contacts, setContacts] = useState<readonly Contact[]>(saved)
  const save = useWrite('post', '/api/v1/on-call')
  const change = (at: number, part: Partial<Contact>) =>
    setContacts(contacts.map((one, index) => (index === at ? { ...one, ...part } : one)))
  const up = (at: number) => {
    const [one] = contacts.slice(at, at + 1)
    const others = contacts.filter((_, index) => index !== at)
    if (one) setContacts([...others.slice(0, at - 1), one, ...others.slice(at - 1)])
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ body: { contacts: [...contacts] } }, { onSuccess: () => notifications.show({ message: t('Saved') }) })
  }
  return (
    <form onSubmit={submit}>
      <fieldset disabled={!write} style={{ border: 0, padding: 0, margin: 0 }}>
        <Stack gap="md" maw={800}>
          {contacts.length === 0 && (
            <Text>{t("Nobody is on the list: the e-mail address of the business's settings is notified.")}</Text>
          )}
          {contacts.map((contact, index) => (
            <Paper
              key={index}
              withBorder
              p="md"
              component="section"
              aria-label={t('Contact {place}', { place: index + 1 })}
            >
              <Group align="end">
                <TextInput
                  label={t('Name or duty')}
                  required
                  maxLength={100}
                  value={contact.name}
                  onChange={(event) => change(index, { name: event.currentTarget.value })}
                />
                <TextInput
                  label={t('E-mail address')}
                  type="email"
                  required
                  style={{ flexGrow: 1 }}
                  value={contact.email}
                  onChange={(event) => change(index, { email: event.currentTarget.value })}
                />
                <NumberInput
                  label={t('Minutes')}
                  required
                  w={100}
                  min={5}
                  max={1440}
                  allowDecimal={false}
                  value={contact.minutes}
                  onChange={(value) => change(index, { minutes: Number(value) })}
                />
                <Button variant="default" disabled={index === 0} onClick={() => up(index)}>
                  {t('Earlier')}
                </Button>
                <Button variant="default" onClick={() => setContacts(contacts.filter((_, other) => other !== index))}>
                  {t('Remove')}
                </Button>
              </Group>
            </Paper>
          ))}
          {save.error && <ErrorAlert error={save.error} />}
          <Group>
            <Button
              variant="default"
              disabled={contacts.length >= MOST}
              onClick={() => setContacts([...contacts, { email: '', name: '', minutes: 30 }])}
            >
              {t('Add a contact')}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={contacts === saved}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </fieldset>
    </form>
  )
}
