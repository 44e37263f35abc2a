import type { components } from '@kitlane/client'
import { Group, Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { Facts } from '../../components/facts.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { rich, t } from '../../language/t.ts'
import { stages } from '../reminders/stages.ts'

type Reminders = components['schemas']['KitReminders']

const reasons: Record<NonNullable<Reminders['why']>, string> = {
  noRule: t('No rule fits where the kit stands.'),
  notWanted: t('The order asked for no e-mails.'),
  stopped: t('The person wants no reminders.'),
  done: t('All were sent.'),
  notDue: t('It was due before the rule was made, or too long ago.'),
}

/** What was sent about a kit to remind somebody, and what comes next. */
export function KitReminders({ kitID }: { kitID: string }) {
  const { data } = useRead('/api/v1/kits/{kitID}/reminders', { params: { path: { kitID } } })
  if (!data) return null
  const { sent, next, why } = data
  return (
    <Facts title={t('Reminders')}>
      {sent.map(({ stage, number, sentDate, to, by }) => (
        <Group key={`${stage} ${number}`} justify="space-between" gap="xs">
          <Text size="sm">
            {to === 'person'
              ? t('{what}, to the person tested', { what: stages[stage].label })
              : t('{what}, to the recipient', { what: stages[stage].label })}
            {by === 'text' && `, ${t('by text message')}`}
          </Text>
          <Text size="sm" c="dimmed">
            <RelativeDate value={sentDate} />
          </Text>
        </Group>
      ))}
      <Text size="sm" c="dimmed">
        {next
          ? rich('Next: {what}, {date}', {
              what: stages[next.stage].label.toLowerCase(),
              date: <RelativeDate key="date" value={next.dueDate} />,
            })
          : why && reasons[why]}
      </Text>
    </Facts>
  )
}
