import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { asProblem } from '../../api/problem.ts'
import { PageLink } from '../../components/page-link.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'
import { isFree, nameOfBusiness, type Review } from './review-list.ts'

type Outcome = 'published' | { refused: string }

/** Final and held back by nobody and no recall, with every result judged and inside its reference interval. */
const isNormal = (review: Review) => {
  const { vendorStatus, critical, outOfRange, unusable, unassessed } = review
  return vendorStatus !== 'partial' && isFree(review) && critical + outOfRange + unusable + unassessed === 0
}

/** Publishes several reports in which nothing stands out, those that are ticked, one after the other. */
export function PublishNormal({ reviews }: { reviews: readonly Review[] }) {
  const [opened, { open, close }] = useDisclosure()
  // As they were when the dialog opened: published ones leave the list of the page.
  const [shown, setShown] = useState<readonly Review[]>([])
  const normal = reviews.filter(isNormal)
  if (normal.length === 0 && !opened) return null
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          setShown(normal)
          open()
        }}
      >
        {t('Publish {count, plural, one {# normal one} other {# normal ones}}', { count: normal.length })}
      </Button>
      <Modal opened={opened} onClose={close} title={t('Publish normal reports')} size="lg">
        <Choice reviews={shown} onClose={close} />
      </Modal>
    </>
  )
}

function Choice({ reviews, onClose }: { reviews: readonly Review[]; onClose: () => void }) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [isBusy, setBusy] = useState(false)
  const { mutateAsync } = useWrite('post', '/operator/v1/reports/{reportID}/publish')
  const left = reviews.filter(({ reportID }) => ticked.has(reportID) && !outcomes.has(reportID))
  const tick = (reportID: string, isTicked: boolean) =>
    setTicked(new Set(isTicked ? [...ticked, reportID] : [...ticked].filter((id) => id !== reportID)))
  const publish = async () => {
    setBusy(true)
    for (const { reportID, version } of left) {
      const outcome: Outcome = await mutateAsync({ params: { path: { reportID } }, body: { version, seen: [] } }).then(
        () => 'published',
        (reason: unknown) => ({ refused: asProblem(reason).message }),
      )
      setOutcomes((before) => new Map([...before, [reportID, outcome]]))
    }
    setBusy(false)
  }
  return (
    <Stack>
      <Text>
        {t(
          'In these every result was judged and lies inside its reference interval. Tick those that you sign. One of which the laboratory sends a newer version meanwhile stays in review.',
        )}
      </Text>
      <Checkbox
        label={t('All {count}', { count: reviews.length })}
        disabled={isBusy}
        checked={ticked.size === reviews.length}
        indeterminate={ticked.size > 0 && ticked.size < reviews.length}
        onChange={(event) => setTicked(new Set(event.currentTarget.checked ? reviews.map((one) => one.reportID) : []))}
      />
      <Stack gap="xs" role="group" aria-label={t('Reports')}>
        {reviews.map((review) => (
          <Group key={review.reportID} justify="space-between">
            <Checkbox
              label={`${nameOfBusiness(review)} · ${review.kitID ? t('kit {kitID}', { kitID: review.kitID }) : review.reportID}`}
              disabled={isBusy || outcomes.has(review.reportID)}
              checked={ticked.has(review.reportID)}
              onChange={(event) => tick(review.reportID, event.currentTarget.checked)}
            />
            <Standing review={review} outcome={outcomes.get(review.reportID)} />
          </Group>
        ))}
      </Stack>
      <Group>
        <Button onClick={() => void publish()} loading={isBusy} disabled={left.length === 0}>
          {t('Publish {count, plural, one {# report} other {# reports}}', { count: left.length })}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('Close')}
        </Button>
      </Group>
    </Stack>
  )
}

function Standing({ review, outcome }: { review: Review; outcome: Outcome | undefined }) {
  if (outcome === 'published') return <Text role="status">{t('Published')}</Text>
  if (outcome) return <Text role="alert">{outcome.refused}</Text>
  return (
    <Group gap="md">
      <RelativeDate value={review.receivedDate} />
      <PageLink to={`/operator/review/${review.reportID}`}>{t('Read it')}</PageLink>
    </Group>
  )
}
