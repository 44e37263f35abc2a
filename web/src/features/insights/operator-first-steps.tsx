import { Text } from '@mantine/core'
import type { OperatorFirstStep } from '../../api/operator-shapes.ts'
import { Icon } from '../../components/icon.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Section } from '../../components/section.tsx'
import { StatusShape } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import css from './overview.module.css'

type Step = OperatorFirstStep['step']

interface Words {
  label: string
  /** Below /operator. */
  path: string
  /** What is missing, and what to do. */
  how: (left: number) => string
}

const words: Record<Step, Words> = {
  laboratory: {
    label: t('Name the laboratory'),
    path: 'laboratories',
    how: () => t('Reports say who tested the sample.'),
  },
  ranges: {
    label: t('Have the ranges signed'),
    path: 'catalogue',
    how: (left) =>
      t(
        '{count, plural, one {# biomarker has} other {# biomarkers have}} ranges that no laboratory director has signed.',
        {
          count: left,
        },
      ),
  },
  mail: {
    label: t('Set up the mail server'),
    path: 'system',
    how: () => t('Until then e-mails are written and kept, not sent: start the service with SMTP_URL.'),
  },
  backup: {
    label: t('Make the first backup'),
    path: 'backups',
    how: () => t('Then let one be made each night, and try once to restore it.'),
  },
  contact: {
    label: t('Give every business a contact'),
    path: 'businesses',
    how: (left) =>
      t(
        '{count, plural, one {# business has} other {# businesses have}} no contact address: its people read “please ask us” and not where.',
        { count: left },
      ),
  },
  secondFactor: {
    label: t('Have all staff use a second factor'),
    path: 'staff',
    how: (left) =>
      t('{count, plural, one {# person signs} other {# people sign}} in with a password alone.', { count: left }),
  },
}

/** What is to be done before the first live kit. Each ticks itself off; all done, it is gone. */
export function OperatorFirstSteps({ steps: all }: { steps: readonly OperatorFirstStep[] }) {
  const done = all.filter((step) => step.done).length
  if (all.length === 0 || done === all.length) return null
  return (
    <Section
      title={t('Before the first live kit: {done, number} of {total, number} done', { done, total: all.length })}
    >
      <ol className={css.steps}>
        {all.map(({ step, done, left }) => (
          <li key={step}>
            {done ? <Icon name="check" size={16} /> : <StatusShape tone="idle" />}
            <div>
              <PageLink to={`/operator/${words[step].path}`} {...(done && { c: 'dimmed' })}>
                {words[step].label}
              </PageLink>
              <Text size="sm" c="dimmed">
                {done ? t('done') : words[step].how(left ?? 0)}
              </Text>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}
