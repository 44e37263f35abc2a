import { Badge, Group, Text } from '@mantine/core'
import type { Place, QueuedKit } from '../../api/operator-shapes.ts'
import { Icon } from '../../components/icon.tsx'
import { PageLink } from '../../components/page-link.tsx'
import css from '../../components/station/station.module.css'
import { StatusDot } from '../../components/status-dot.tsx'
import { rich, t } from '../../language/t.ts'
import type { Packing, PackStep } from './packing-steps.ts'

/** The kit to pack now, large enough to be read from the bench. */
export function KitCard({ kit }: { kit: QueuedKit }) {
  return (
    <section className={css.kit} aria-label={t('Next kit')}>
      <div>
        <div className={css.code}>{kit.kitID}</div>
        <Text size="lg">
          {kit.panelName} · {kit.kitType}
        </Text>
        <Text c="dimmed">
          {rich('{name} · order {order}', {
            name: kit.business.name,
            order: (
              <PageLink key="order" to={`/operator/orders/${kit.orderID}`}>
                {kit.orderID}
              </PageLink>
            ),
          })}
        </Text>
        <Group gap="xs" mt="xs">
          {kit.kitsInOrder > 1 && (
            <Badge variant="light">{t('{count} kits in this order', { count: kit.kitsInOrder })}</Badge>
          )}
          {kit.waitingDays > 1 && (
            <StatusDot tone="fair">{t('waiting {days} days', { days: kit.waitingDays })}</StatusDot>
          )}
        </Group>
        {kit.replacementFor && <Text mt="xs">{t('Replaces {kitID}', { kitID: kit.replacementFor })}</Text>}
      </div>
      {kit.recipient ? (
        <Address place={kit.recipient} />
      ) : (
        <Text c="var(--k-bad)">{t('This person was erased. Do not ship the kit.')}</Text>
      )}
    </section>
  )
}

function Address({ place }: { place: Place }) {
  const lines = [
    place.name,
    place.street1,
    place.street2,
    [place.city, place.state, place.zip].filter(Boolean).join(' '),
    place.country,
    place.phone,
  ]
  return (
    <address className={css.address}>
      {lines.filter(Boolean).map((line) => (
        <div key={line}>{line}</div>
      ))}
    </address>
  )
}

const labels: Record<PackStep, string> = { kit: t('Kit'), outbound: t('Outbound label'), return: t('Return label') }
const order: readonly PackStep[] = ['kit', 'outbound', 'return']

/** Which of the three scans are done. */
export function Steps({ packing }: { packing: Packing }) {
  const now = order.indexOf(packing.step)
  return (
    <ol className={css.steps}>
      {order.map((step, index) => (
        <li
          key={step}
          className={css.step}
          data-state={index < now ? 'done' : index === now ? 'now' : 'later'}
          aria-current={index === now ? 'step' : undefined}
        >
          <Icon name={index < now ? 'check' : 'scan'} />
          {labels[step]}
        </li>
      ))}
    </ol>
  )
}
