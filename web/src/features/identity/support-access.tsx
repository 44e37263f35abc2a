import { Button, Group, Loader, Modal, Select, Stack, Text, Textarea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { SupportAccess } from '../../api/operator-shapes.ts'
import { useRealm } from '../../app/realm.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { exactOf } from '../../components/relative-date.tsx'
import { WarningAlert } from '../../components/warning-alert.tsx'
import { rich, t } from '../../language/t.ts'
import css from './support.module.css'

const LIST = '/operator/v1/support-accesses'
const EVERY_MS = 15_000

interface SupportAccessProps {
  isMember: boolean
  children: ReactNode
}

/** Pages that a person of the operator sees only with a support access, and how long it lasts. */
export function SupportAccessGate({ isMember, children }: SupportAccessProps) {
  const { businessID } = useRealm()
  const query = { businessID, mine: 'true' as const, size: 1 }
  const own = useRead(LIST, { params: { query } }, { every: EVERY_MS })
  const access = own.data?.data[0]
  const isActive = access?.state === 'active'
  useForgetting(businessID, own.data !== undefined && !isActive && !isMember)
  if (own.error && !own.data) return <ErrorAlert error={own.error} retry={() => void own.refetch()} />
  if (!own.data) return <Loader size="sm" />
  if (access && isActive) {
    return (
      <>
        <Banner access={access} onOver={() => void own.refetch()} />
        {children}
      </>
    )
  }
  if (isMember) return children
  return access?.state === 'waiting' ? <Waiting access={access} /> : <Ask last={access} />
}

/** Drops what was read in the business once there is no access any more. */
function useForgetting(businessID: string, isOut: boolean): void {
  const cache = useQueryClient()
  useEffect(() => {
    if (!isOut) return
    cache.removeQueries({
      predicate: ({ queryKey: [realm, path] }) => String(realm).startsWith(`${businessID}/`) && path !== LIST,
    })
  }, [cache, businessID, isOut])
}

function Banner({ access, onOver }: { access: SupportAccess; onOver: () => void }) {
  const leftMs = useLeft(access.endsDate ?? '', onOver)
  return (
    <div className={css.banner} role="status">
      <span>
        {rich('<strong>Support access, {left} left.</strong> The business sees what you do here, and why: “{reason}”', {
          strong: (words) => <strong>{words}</strong>,
          left: wordsOf(leftMs),
          reason: access.reason,
        })}
      </span>
      <End
        access={access}
        label={t('End now')}
        sentence={t('You leave the business. To return you ask again, with a reason.')}
      />
    </div>
  )
}

/** Milliseconds until a time, each second. */
function useLeft(until: string, onOver: () => void): number {
  const [leftMs, setLeftMs] = useState(() => Date.parse(until) - Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      const left = Date.parse(until) - Date.now()
      setLeftMs(left)
      if (left > 0) return
      clearInterval(timer)
      onOver()
    }, 1000)
    return () => clearInterval(timer)
  }, [until, onOver])
  return leftMs
}

function wordsOf(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  if (seconds < 60) return t('{seconds, plural, one {# second} other {# seconds}}', { seconds })
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return minutesText(minutes)
  const hours = hoursText(Math.floor(minutes / 60))
  return minutes % 60 === 0 ? hours : t('{hours} {minutes} min', { hours, minutes: minutes % 60 })
}

const minutesText = (minutes: number) => t('{minutes, plural, one {# minute} other {# minutes}}', { minutes })
const hoursText = (hours: number) => t('{hours, plural, one {# hour} other {# hours}}', { hours })

function End({ access, label, sentence }: { access: SupportAccess; label: string; sentence: string }) {
  const end = useWrite('delete', '/operator/v1/support-accesses/{supportAccessID}')
  return (
    <ConfirmButton
      label={label}
      size="compact-sm"
      sentence={sentence}
      action={() => end.mutateAsync({ params: { path: { supportAccessID: access.id } } })}
    />
  )
}

function Waiting({ access }: { access: SupportAccess }) {
  return (
    <EmptyState
      title={t('The business has to approve')}
      text={t(
        'Its administrators got an e-mail. The request waits until {time}; your time counts from the approval on. This page opens by itself.',
        { time: exactOf(access.answerByDate ?? '') },
      )}
      action={<End access={access} label={t('Withdraw the request')} sentence={t('Nobody can approve it then.')} />}
    />
  )
}

const outcomes: Partial<Record<SupportAccess['state'], string>> = {
  refused: t('The business refused your last request'),
  unanswered: t('Nobody of the business answered your last request within 24 hours'),
  ended: t('Your last support access has ended'),
}

function Ask({ last }: { last: SupportAccess | undefined }) {
  const [opened, { open, close }] = useDisclosure(true)
  const outcome = last && outcomes[last.state]
  return (
    <Stack gap="md">
      {outcome && <WarningAlert title={outcome} />}
      <EmptyState
        title={t('You need a reason to open this business')}
        text={t(
          'These pages show data of a business. Your access ends by itself, and the business sees your reason and everything you do.',
        )}
        action={
          <Button onClick={open} aria-haspopup="dialog">
            {t('Ask for access')}
          </Button>
        }
      />
      <AskDialog opened={opened} onClose={close} />
    </Stack>
  )
}

const REASON = { min: 10, max: 500 }
const durations = [15, 30, 60, 120, 240, 480].map((minutes) => ({
  value: String(minutes),
  label: minutes < 60 ? minutesText(minutes) : hoursText(minutes / 60),
}))

function AskDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { businessID } = useRealm()
  const [reason, setReason] = useState('')
  const [minutes, setMinutes] = useState('60')
  const ask = useWrite('post', '/operator/v1/businesses/{businessID}/support-accesses')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate(
      { params: { path: { businessID } }, body: { reason: reason.trim(), minutes: Number(minutes) } },
      { onSuccess: onClose },
    )
  }
  return (
    <Modal opened={opened} onClose={onClose} title={t('Ask for access')} centered>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Textarea
            label={t('Reason')}
            description={t('The business reads it. Name the ticket or the problem, no people and no results.')}
            required
            data-autofocus
            autosize
            minRows={3}
            minLength={REASON.min}
            maxLength={REASON.max}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Select
            label={t('For')}
            data={durations}
            value={minutes}
            onChange={(value) => value && setMinutes(value)}
            allowDeselect={false}
            w={160}
          />
          <Text size="sm" c="dimmed">
            {t('Live and sandbox alike. You can end it at any time, and so can the business.')}
          </Text>
          {ask.error && <ErrorAlert error={ask.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={ask.isPending} disabled={reason.trim().length < REASON.min}>
              {t('Ask for access')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
