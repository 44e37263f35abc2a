import { Button, Group, NumberInput, Stack, Switch, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import type { OneBusiness } from '../../api/operator-shapes.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'

export function BusinessSettings({ business }: { business: OneBusiness }) {
  const { live } = business.settings
  const save = useWrite('patch', '/operator/v1/businesses/{businessID}')
  const [name, setName] = useState(business.name)
  const [uploadsEnabled, setUploadsEnabled] = useState(live.uploadsEnabled)
  const [publishing, setPublishing] = useState(live.publishing)
  const [rateLimitPerMinute, setRateLimit] = useState(business.rateLimitPerMinute)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(
      {
        params: { path: { businessID: business.id } },
        body: { name: name.trim(), uploadsEnabled, publishing, rateLimitPerMinute },
      },
      { onSuccess: () => notifications.show({ message: t('Saved') }) },
    )
  }
  return (
    <Section title={t('Settings')}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput label={t('Name')} value={name} onChange={(event) => setName(event.currentTarget.value)} required />
          <NumberInput
            label={t('API requests per minute')}
            value={rateLimitPerMinute}
            onChange={(value) => setRateLimit(Number(value) || 1)}
            min={1}
            allowDecimal={false}
          />
          <Switch
            label={t('A person reviews its reports before they are published')}
            checked={publishing === 'manual'}
            onChange={(event) => setPublishing(event.currentTarget.checked ? 'manual' : 'auto')}
          />
          <Switch
            label={t('Its customers can upload reports from other laboratories')}
            checked={uploadsEnabled}
            onChange={(event) => setUploadsEnabled(event.currentTarget.checked)}
          />
          {save.error && <ErrorAlert error={save.error} />}
          <Group>
            <Button type="submit" loading={save.isPending}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
