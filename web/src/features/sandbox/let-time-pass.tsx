import type { Answer } from '@kitlane/client'
import { SegmentedControl } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'

const choices: { value: Choice; label: string }[] = [
  { value: 'P1D', label: t('1 day') },
  { value: 'P1W', label: t('1 week') },
  { value: 'P30D', label: t('30 days') },
]
type Choice = 'P1D' | 'P1W' | 'P30D'

export function LetTimePass() {
  const advance = useWrite('post', '/api/v1/sandbox/clock')
  const [choice, setChoice] = useState<Choice>('P1D')
  return (
    <ConfirmButton
      label={t('Let time pass')}
      sentence={t(
        'What waits in the sandbox happens sooner: retries of webhooks are sent, links end, kits become late, critical results go to the next contact. It cannot be undone.',
      )}
      action={async () => {
        const { due } = await advance.mutateAsync({ body: { advance: choice } })
        const passed = choices.find(({ value }) => value === choice)?.label ?? ''
        notifications.show({ title: t('{passed} passed', { passed }), message: inWords(due) })
      }}
    >
      <SegmentedControl
        aria-label={t('How much time')}
        data={[...choices]}
        value={choice}
        onChange={(value) => setChoice(value as Choice)}
        fullWidth
      />
    </ConfirmButton>
  )
}

type Due = Answer<'post', '/api/v1/sandbox/clock'>['due']

const words: Record<keyof Due, (count: number) => string> = {
  webhookDeliveries: (count) =>
    t('{count, plural, one {# webhook is sent again} other {# webhooks are sent again}}', { count }),
  criticalResults: (count) =>
    t(
      '{count, plural, one {# critical result goes to the next contact} other {# critical results go to the next contact}}',
      { count },
    ),
  lateKits: (count) => t('{count, plural, one {# kit became late} other {# kits became late}}', { count }),
  personalLinks: (count) => t('{count, plural, one {# personal link ended} other {# personal links ended}}', { count }),
  sharedReports: (count) =>
    t('{count, plural, one {# link to a shared report ended} other {# links to shared reports ended}}', { count }),
  planOrders: (count) =>
    t('{count, plural, one {# order of a recurring plan is placed} other {# orders of recurring plans are placed}}', {
      count,
    }),
  shopOrders: (count) =>
    t('{count, plural, one {# order of a shop is tried again} other {# orders of shops are tried again}}', { count }),
  heldSamples: (count) =>
    t('{count, plural, one {# sample on hold is discarded} other {# samples on hold are discarded}}', { count }),
  registrationDrafts: (count) =>
    t('{count, plural, one {# half-filled registration ended} other {# half-filled registrations ended}}', { count }),
}

function inWords(due: Due): string {
  const sentences = Object.entries(due)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => words[name as keyof Due](count))
  return sentences.length > 0 ? `${sentences.join(', ')}.` : t('Nothing became due.')
}
