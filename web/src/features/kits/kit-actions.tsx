import { Button, Menu, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { KitDetail, KitEvent } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealm } from '../../app/realm.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { Icon } from '../../components/icon.tsx'
import { t } from '../../language/t.ts'
import { useReportPath } from '../reports/use-report-path.ts'
import { isWithdrawn } from './kit-standing.ts'
import { eventLabel } from './labels.ts'

// What the service replaces: lost kits, and samples that failed or were rejected.
const replaceable: readonly KitEvent[] = ['sampleRejected', 'deliveryException', 'collectionException']

export function KitActions({ detail }: { detail: KitDetail }) {
  const { write } = usePermissions()
  const { mode } = useRealm()
  const reportPath = useReportPath()
  const last = detail.timeline.at(-1)?.type
  return (
    <>
      {detail.reportID && (
        <Button component={Link} to={reportPath(detail.reportID, detail.kit.customerID)}>
          {t('Open the report')}
        </Button>
      )}
      {write && last && replaceable.includes(last) && !detail.kit.replacedBy && !isWithdrawn(detail.kit) && (
        <Replace kitID={detail.kit.kitID} />
      )}
      {write && detail.kit.kitStatus === 'registrationException' && <FreeBox kitID={detail.kit.kitID} />}
      {write && mode === 'sandbox' && <SandboxMenus detail={detail} />}
    </>
  )
}

/** For a box that was registered with someone else's e-mail address. */
function FreeBox({ kitID }: { kitID: string }) {
  const clear = useWrite('post', '/api/v1/kits/{kitID}/registration/clear')
  return (
    <ConfirmButton
      label={t('Clear the registration')}
      sentence={t('The registration of this box is deleted, and someone else can register it.')}
      action={() => clear.mutateAsync({ params: { path: { kitID } } })}
      done={t('The box can be registered again')}
    />
  )
}

function Replace({ kitID }: { kitID: string }) {
  const [reason, setReason] = useState('')
  const box = useRead('/api/v1/undelivered', { params: { query: { kitID } } }).data?.data[0]
  const replace = useWrite('post', '/api/v1/kits/{kitID}/replacement')
  // Beside its box the page offers the same, with the address.
  if (box?.choices.includes('replace')) return null
  return (
    <ConfirmButton
      label={t('Replace kit')}
      variant="filled"
      sentence={t('A new kit of the same panel goes to the same address, free of charge.')}
      action={() => replace.mutateAsync({ params: { path: { kitID } }, body: { reason: reason.trim() || 'lost' } })}
      done={t('A new kit is being packed')}
    >
      <Textarea
        label={t('Why')}
        placeholder={t('The parcel never arrived')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        maxLength={500}
        autosize
        minRows={2}
      />
    </ConfirmButton>
  )
}

/** In the sandbox, the user plays the carrier, the recipient and the laboratory. */
function SandboxMenus({ detail: { kit } }: { detail: KitDetail }) {
  const { kitID } = kit
  const advance = useWrite('post', '/api/v1/sandbox/kits/{kitID}/advance')
  const play = useWrite('post', '/api/v1/sandbox/kits/{kitID}/scenario')
  const scenarios = useRead('/api/v1/sandbox/scenarios').data
  const say = {
    onSuccess: () => notifications.show({ message: t('The kit was moved, and its webhooks are being sent') }),
    onError: ({ message }: Error) => notifications.show({ color: 'red', title: t('The kit was not moved'), message }),
  }
  return (
    <>
      {kit.allowed.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" loading={advance.isPending} rightSection={<Icon name="down" size={14} />}>
              {t('Move to')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {kit.allowed.map((status) => (
              <Menu.Item
                key={status}
                onClick={() => advance.mutate({ params: { path: { kitID } }, body: { status } }, say)}
              >
                {eventLabel(status)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Menu position="bottom-end" width={360}>
        <Menu.Target>
          <Button variant="default" loading={play.isPending} rightSection={<Icon name="down" size={14} />}>
            {t('Play a scenario')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
          {scenarios?.map(({ name, description }) => (
            <Menu.Item
              key={name}
              onClick={() => play.mutate({ params: { path: { kitID } }, body: { scenario: name } }, say)}
            >
              {description}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
