import { Button, Group, Skeleton, Stack, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { Settings } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealm } from '../../app/realm.tsx'
import { SESSION_KEY } from '../../app/session.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { SettingsTabs } from '../../frame/settings-tabs.tsx'
import { t } from '../../language/t.ts'
import { RetentionTerms } from '../privacy/retention-terms.tsx'
import { BillingFields } from './billing-fields.tsx'
import { BrandFields } from './brand-fields.tsx'
import { RuleFields } from './rule-fields.tsx'
import type { Draft } from './settings-draft.ts'

export function SettingsPage() {
  const { mode } = useRealm()
  const settings = useRead('/api/v1/settings')
  return (
    <>
      <PageHeader
        title={t('Settings')}
        sentence={
          mode === 'live'
            ? t('These settings apply to live orders only. The sandbox has its own.')
            : t('These settings apply to the sandbox only. Live orders have their own.')
        }
      />
      <SettingsTabs />
      {settings.error && !settings.data && <ErrorAlert error={settings.error} retry={() => void settings.refetch()} />}
      {settings.isPending && <Skeleton height={480} />}
      {settings.data && (
        <Stack gap="lg" maw={800}>
          <SettingsForm key={JSON.stringify(settings.data)} settings={settings.data} />
          {mode === 'live' && <RetentionTerms />}
        </Stack>
      )}
    </>
  )
}

function SettingsForm({ settings }: { settings: Settings }) {
  const { write } = usePermissions()
  const cache = useQueryClient()
  const [draft, setDraft] = useState<Draft>(settings)
  const change = (part: Partial<Draft>) => setDraft((former) => ({ ...former, ...part }))
  const save = useWrite('patch', '/api/v1/settings')
  const changed = changesOf(settings, draft)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(
      { body: changed },
      {
        onSuccess: () => {
          notifications.show({ message: t('Saved') })
          // Name and colour of the frame come with the session.
          void cache.invalidateQueries({ queryKey: SESSION_KEY })
        },
      },
    )
  }
  return (
    <form onSubmit={submit}>
      <fieldset disabled={!write} style={{ border: 0, padding: 0, margin: 0 }}>
        <Stack gap="lg" maw={800}>
          <Section title={t('How people see you')}>
            <BrandFields draft={draft} onChange={change} />
          </Section>
          <Section title={t('Orders and reports')}>
            <RuleFields draft={draft} onChange={change} uploadsEnabled={settings.uploadsEnabled} />
          </Section>
          <Section title={t('On receipts')}>
            <BillingFields draft={draft} onChange={change} />
          </Section>
          {save.error && <ErrorAlert error={save.error} />}
          {write && (
            <Group>
              <Button type="submit" loading={save.isPending} disabled={Object.keys(changed).length === 0}>
                {t('Save')}
              </Button>
              {Object.keys(changed).length > 0 && (
                <Button variant="default" onClick={() => setDraft(settings)}>
                  {t('Discard the changes')}
                </Button>
              )}
            </Group>
          )}
        </Stack>
      </fieldset>
    </form>
  )
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Sheet>
      <Title order={2} mb="md">
        {title}
      </Title>
      {children}
    </Sheet>
  )
}

/** Only changed fields are sent; null unsets a field that was emptied. */
function changesOf(settings: Settings, draft: Draft) {
  const names = Object.keys(draft) as (keyof Draft)[]
  const different = names.filter((name) => (draft[name] || null) !== (settings[name] || null))
  return Object.fromEntries(
    different.map((name) => [name, draft[name] === undefined || draft[name] === '' ? null : draft[name]]),
  )
}
