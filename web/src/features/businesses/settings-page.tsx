import { Button, Group, Skeleton, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
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

interface BillingFieldsProps {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
}

/** What stands on receipts about the business. */
function BillingFields({ draft, onChange }: BillingFieldsProps) {
  return (
    <Stack gap="sm" maw={420}>
      <Text size="sm" c="dimmed">
        {t('Receipts keep what was here when they were issued.')}
      </Text>
      <TextInput
        label={t('Name on receipts')}
        placeholder={draft.name}
        maxLength={200}
        value={draft.billingName ?? ''}
        onChange={(event) => onChange({ billingName: event.currentTarget.value || undefined })}
      />
      <Textarea
        label={t('Address on receipts')}
        autosize
        minRows={3}
        maxLength={500}
        value={draft.billingAddress ?? ''}
        onChange={(event) => onChange({ billingAddress: event.currentTarget.value || undefined })}
      />
      <TextInput
        label={t('Tax number')}
        maxLength={50}
        value={draft.billingTaxNumber ?? ''}
        onChange={(event) => onChange({ billingTaxNumber: event.currentTarget.value || undefined })}
      />
    </Stack>
  )
}
