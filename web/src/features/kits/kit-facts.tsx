import { Anchor, Group, Text } from '@mantine/core'
import type { Kit, KitDetail } from '../../api/shapes.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { Facts } from '../../components/facts.tsx'
import { IdText } from '../../components/id-text.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { CopyBlock } from '../../components/raw-json.tsx'
import { dayOf, RelativeDate } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { KitConsents } from '../consent/kit-consents.tsx'
import { relationWord } from '../consent/relations.ts'
import { deliveryLabel } from '../webhooks/delivery-labels.ts'
import { type PersonTested, personOf } from './kit-standing.ts'
import { outwardWords, trackingUrl } from './tracking-url.ts'

type Leg = NonNullable<NonNullable<Kit['shipment']>['toUser']>

/** Right column of a kit: recipient, shipment, person tested, and webhooks sent. */
export function KitFacts({ detail }: { detail: KitDetail }) {
  const path = useRealmPath()
  const { kit, registration, deliveries, registerUrl, box } = detail
  return (
    <>
      <Facts
        title={t('Recipient')}
        facts={[
          [t('E-mail'), kit.recipientEmail],
          [
            t('Order'),
            <PageLink key="order" to={path('orders', kit.orderID)} ff="monospace" size="xs">
              {kit.orderID}
            </PageLink>,
          ],
          [t('Your ID'), kit.externalID],
          [t('Serial number of its box'), box?.serial],
          [t('Register by'), box && dayOf(box.registerBy)],
          [
            t('Replaces'),
            kit.replacementFor && (
              <PageLink to={path('kits', kit.replacementFor)} ff="monospace">
                {kit.replacementFor}
              </PageLink>
            ),
          ],
        ]}
      />
      <Facts title={t('Shipment')}>
        {!kit.shipment?.toUser && !kit.shipment?.toLab && <Text c="dimmed">{t('Not posted yet.')}</Text>}
        <Parcel title={outwardWords(kit.shipment?.toUser ?? {})} leg={kit.shipment?.toUser} />
        <Parcel title={t('Back to the laboratory')} leg={kit.shipment?.toLab} />
      </Facts>
      <Facts
        title={t('Person tested')}
        facts={
          registration && [
            [
              t('Name'),
              <PageLink key="name" to={path('customers', registration.customerID)}>
                {registration.name ?? t('Customer {customerID}', { customerID: registration.customerID })}
              </PageLink>,
            ],
            [t('E-mail'), registration.email],
            [
              t('Registered by'),
              registration.guardian &&
                [registration.guardian.name, `(${relationWord[registration.guardian.relation]})`]
                  .filter(Boolean)
                  .join(' '),
            ],
            [t('Registered'), <RelativeDate key="date" value={registration.registeredDate} />],
            [t('Says it is posted'), kit.postedDate && <RelativeDate key="posted" value={kit.postedDate} />],
          ]
        }
      >
        <MissingPerson kit={kit} registerUrl={registerUrl} />
      </Facts>
      <KitConsents detail={detail} />
      <Facts title={t('Webhooks sent')}>
        {deliveries?.length === 0 && <Text c="dimmed">{t('None. No endpoint subscribes to events of kits.')}</Text>}
        {deliveries?.slice(0, 12).map(({ id, endpointID, type, status, lastAttemptDate }) => (
          <Group key={id} justify="space-between" gap="xs">
            <PageLink to={path('developers', 'webhooks', endpointID)} size="sm">
              {type}
            </PageLink>
            <Group gap="xs">
              <StatusDot tone={deliveryLabel(status).tone}>{deliveryLabel(status).label}</StatusDot>
              <Text size="xs" c="dimmed">
                <RelativeDate value={lastAttemptDate} />
              </Text>
            </Group>
          </Group>
        ))}
      </Facts>
    </>
  )
}

const missing: Record<Exclude<PersonTested, 'known' | 'erased'>, string> = {
  doubted: t('The registration could not be verified. With the correct data, the person can register the kit here:'),
  none: t('Nobody has registered this kit. The person can do so here:'),
}

/** Why the person is unknown, in the same words as the header and the timeline. */
function MissingPerson({ kit, registerUrl }: { kit: Kit; registerUrl: string }) {
  const person = personOf(kit)
  if (person === 'known') return null
  if (person === 'erased')
    return <Text c="dimmed">{t('This person was erased. What happened to the kit is kept.')}</Text>
  if (kit.kitStatus === 'canceled') return <Text c="dimmed">{t('Nobody registered this kit.')}</Text>
  return (
    <>
      <Text c="dimmed">{missing[person]}</Text>
      <CopyBlock text={registerUrl} label={t('Copy link')} name={t('link')} />
    </>
  )
}

function Parcel({ title, leg }: { title: string; leg: Leg | undefined }) {
  if (leg === undefined) return null
  const url = trackingUrl(leg.carrier, leg.trackingNumber)
  return (
    <div>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Group gap="xs">
        {url ? (
          <Anchor href={url} target="_blank" rel="noopener noreferrer" ff="monospace">
            {leg.trackingNumber}
          </Anchor>
        ) : (
          <IdText value={leg.trackingNumber} />
        )}
        <Text size="sm" c="dimmed">
          {leg.carrier} · <RelativeDate value={leg.date} />
        </Text>
      </Group>
    </div>
  )
}
