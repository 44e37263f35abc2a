import type { Answer } from '@kitlane/client'
import { SegmentedControl } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'

const choices = [
  { value: 'P1D', label: '1 day' },
  { value: 'P1W', label: '1 week' },
  { value: 'P30D', label: '30 days' },
] as const
type Choice = (typeof choices)[number]['value']

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
        const passed = choices.find(({ value }) => value === choice)?.label
        notifications.show({ title: `${passed} passed`, message: inWords(due) })
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

const words: Record<keyof Due, [one: string, many: string]> = {
  webhookDeliveries: [t('webhook is sent again'), t('webhooks are sent again')],
  criticalResults: [t('critical result goes to the next contact'), t('critical results go to the next contact')],
  lateKits: [t('kit became late'), t('kits became late')],
  personalLinks: [t('personal link ended'), t('personal links ended')],
  sharedReports: [t('link to a shared report ended'), t('links to shared reports ended')],
  planOrders: [t('order of a recurring plan is placed'), t('orders of recurring plans are placed')],
  registrationDrafts: [t('half-filled registration ended'), t('half-filled registrations ended')],
}

function inWords(due: Due): string {
  const said = Object.entries(due)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${words[name as keyof Due][count === 1 ? 0 : 1]}`)
  return said.length > 0 ? `${said.join(', ')}.` : t('Nothing became due.')
}
