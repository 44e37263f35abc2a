import { Anchor, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Kit, KitDetail } from '../../api/shapes.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { Facts } from '../../components/facts.tsx'
import { IdText } from '../../components/id-text.tsx'
import { Copied } from '../../components/json-fold.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { deliveryWord } from '../developers/words.ts'
import { trackingUrl } from '../words.ts'

type Leg = NonNullable<NonNullable<Kit['shipment']>['toUser']>

/** Right column of a kit: whom it goes to, how it travels, who was tested, which webhooks told of it. */
export function KitFacts({ detail }: { detail: KitDetail }) {
  const path = useRealmPath()
  const { kit, registration, deliveries, registerUrl } = detail
  return (
    <>
      <Facts
        title="Recipient"
        facts={[
          ['E-mail', kit.recipientEmail],
          [
            'Order',
            <Anchor key="order" component={Link} to={path('orders', kit.orderID)} ff="monospace">
              {kit.orderID}
            </Anchor>,
          ],
          ['Your ID', kit.externalID],
          [
            'Replaces',
            kit.replacementFor && (
              <Anchor component={Link} to={path('kits', kit.replacementFor)} ff="monospace">
                {kit.replacementFor}
              </Anchor>
            ),
          ],
        ]}
      />
      <Facts title="Shipment">
        {!kit.shipment?.toUser && !kit.shipment?.toLab && <Text c="dimmed">Not posted yet.</Text>}
        <Parcel title="To the person" leg={kit.shipment?.toUser} />
        <Parcel title="Back to the laboratory" leg={kit.shipment?.toLab} />
      </Facts>
      <Facts
        title="Person tested"
        facts={
          registration && [
            [
              'Name',
              <Anchor key="name" component={Link} to={path('customers', registration.customerID)}>
                {registration.name ?? `Customer ${registration.customerID}`}
              </Anchor>,
            ],
            ['E-mail', registration.email],
            ['Registered', <RelativeDate key="date" value={registration.registeredDate} />],
          ]
        }
      >
        {!registration && (
          <>
            <Text c="dimmed">Not registered yet. This is where the person registers the kit:</Text>
            <Copied text={registerUrl} label="Copy link" />
          </>
        )}
      </Facts>
      <Facts title="Webhooks sent">
        {deliveries?.length === 0 && <Text c="dimmed">None. No endpoint wants to hear of this kit.</Text>}
        {deliveries?.slice(0, 12).map(({ id, endpointID, type, status, lastAttemptDate }) => (
          <Group key={id} justify="space-between" gap="xs">
            <Anchor component={Link} to={path('developers', 'webhooks', endpointID)} size="sm">
              {type}
            </Anchor>
            <Group gap="xs">
              <StatusDot tone={deliveryWord(status).tone}>{deliveryWord(status).label}</StatusDot>
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
