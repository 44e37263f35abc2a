import { type Sentence, sentence } from '@kitlane/display/sentence'

/** A shipping label that was bought, with the status of the kit that it was bought for. */
export interface BoughtLabel {
  number: string
  realmId: number
  orderId: string
  kitId: string
  leg: 'toUser' | 'toLab'
  state: string
  carrier: string | null
  kitStatus: string
  next: string | null
}

export const CAME_BACK = 'With this label the parcel came back: print a new one'

/** Why a label that was bought cannot go on this parcel. One out may carry several kits of its order, to the same address. */
export function misuse(
  { leg, realmId, orderId }: Pick<BoughtLabel, 'leg' | 'realmId' | 'orderId'>,
  kitId: string,
  goesAgain: boolean,
  label: BoughtLabel | undefined,
): Sentence | string | undefined {
  if (!label) return undefined
  const isOwn = label.kitId === kitId
  const isOfOrder = label.realmId === realmId && label.orderId === orderId
  if (!isOwn && (!isOfOrder || (label.leg === 'toLab' && leg === 'toLab')))
    return sentence('This label was bought for kit {kit}: take the labels of the kit in hand', { kit: label.kitId })
  if (label.leg !== leg)
    return label.leg === 'toLab'
      ? sentence('That is the return label: scan the label that goes to the recipient')
      : sentence('That is the label that goes to the recipient: scan the return label')
  if (label.state !== 'bought' && label.state !== 'used')
    return label.next === null
      ? sentence('This label was voided, or is being voided: buy a new one, or take one of your own')
      : sentence('This label was voided, or is being voided: take the label {number}', { number: label.next })
  const cameBack = isOwn ? goesAgain : label.kitStatus === 'deliveryException'
  return leg === 'toUser' && label.state === 'used' && cameBack ? CAME_BACK : undefined
}
