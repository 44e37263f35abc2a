import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { usePermissions } from '../../app/permissions.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SettingsTabs } from '../../frame/settings-tabs.tsx'
import { t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import { ReminderPreview } from './preview.tsx'
import { RuleFields } from './rule-fields.tsx'
import { type Rule, usualRules } from './stages.ts'

/** When people are reminded of the next step, and what they then read. */
export function RemindersPage() {
  const saved = useRead('/api/v1/reminders')
  const { write } = usePermissions()
  return (
    <>
      <PageHeader
        title={t('Reminders')}
        sentence={t(
          'E-mails to people who have not done the next step. They come by day where the person lives, only for orders whose recipients want e-mails, and stop once it is done. Each can be stopped by its reader.',
        )}
      />
      <SettingsTabs />
      {saved.error && !saved.data && <ErrorAlert error={saved.error} retry={() => void saved.refetch()} />}
      {saved.isPending && <Skeleton height={240} />}
      {saved.data && <RulesForm key={JSON.stringify(saved.data)} saved={saved.data.rules} write={write} />}
      <ReminderPreview write={write} />
    </>
  )
}

function RulesForm({ saved, write }: { saved: readonly (Rule & { sinceDate: string })[]; write: boolean }) {
  const [rules, setRules] = useState<readonly Rule[]>(saved.map(({ sinceDate: _, ...rule }) => rule))
  const save = useWrite('post', '/api/v1/reminders')
  const { options } = usePanels()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ body: { rules: [...rules] } }, { onSuccess: () => notifications.show({ message: t('Saved') }) })
  }
  const isChanged = rules.length !== saved.length || rules.some((rule, index) => !isSame(rule, saved[index]))
  return (
    <form onSubmit={submit}>
      <fieldset disabled={!write} style={{ border: 0, padding: 0, margin: 0 }}>
        <Stack gap="md" maw={900} mb="xl">
          {rules.length === 0 && (
            <EmptyState
              title={t('Nobody is reminded')}
              text={t(
                'People forget kits and samples. Begin with what is usual, and change it as you like; nothing is sent before you save.',
              )}
              action={write && <Button onClick={() => setRules(usualRules)}>{t('Use the usual reminders')}</Button>}
            />
          )}
          {rules.map((rule, index) => (
            <RuleFields
              key={index}
              position={index + 1}
              rule={rule}
              panels={options}
              change={(changed) => setRules(rules.map((one, other) => (other === index ? changed : one)))}
              remove={() => setRules(rules.filter((_, other) => other !== index))}
            />
          ))}
          {save.error && <ErrorAlert error={save.error} />}
          {write && (
            <Group>
              <Button
                variant="default"
                onClick={() => setRules([...rules, { stage: 'register', afterDays: 7, times: 1 }])}
              >
                {t('Add a reminder')}
              </Button>
              <Button type="submit" loading={save.isPending} disabled={!isChanged}>
                {t('Save')}
              </Button>
            </Group>
          )}
        </Stack>
      </fieldset>
    </form>
  )
}

const isSame = (one: Rule, other: Rule | undefined) =>
  other !== undefined &&
  (['stage', 'panel', 'afterDays', 'everyDays', 'times'] as const).every((field) => one[field] === other[field])
