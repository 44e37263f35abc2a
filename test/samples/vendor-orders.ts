import type { VendorName } from '../../src/cli/compat/vendors.ts'
import { CORE } from '../harness/orders.ts'

const person = { first_name: 'Ada', last_name: 'Example', email: 'ada@example.test' }

/** Requests that place an order, in the form of each vendor's documentation, with made-up people, and what is lost of them here. */
export const vendorOrders: { vendor: VendorName; path: string; body: object; lost: string[] }[] = [
  {
    vendor: 'junction',
    path: '/v3/order',
    body: {
      user_id: 'u-1',
      lab_test_id: CORE,
      physician: { npi: '1234567893' },
      patient_details: { ...person, dob: '1990-01-01', gender: 'female', phone_number: '+12175550101' },
      patient_address: { street: '1 Main Street', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' },
    },
    lost: ['physician.npi', 'patient_details.dob', 'patient_details.gender'],
  },
  {
    vendor: 'junction',
    path: '/v3/order/testkit/',
    body: {
      user_id: 'u-1',
      order_set: { lab_test_ids: [CORE, CORE] },
      patient_details: person,
      shipping_details: {
        receiver_name: 'Ada Example',
        first_line: '1 Main Street',
        second_line: 'Apt 2',
        city: 'Springfield',
        state: 'IL',
        zip: '62701',
        country: 'US',
        phone_number: '+12175550101',
        access_notes: 'Ring twice',
      },
    },
    lost: ['shipping_details.access_notes'],
  },
  {
    vendor: 'spot',
    path: '/api/v2/orders/',
    body: {
      kit_types: [CORE, CORE],
      recipient: {
        ...person,
        phone: '2175550101',
        address: { street1: '1 Main Street', city: 'Springfield', state: 'IL', country: 'US', zip: '62701' },
      },
      metadata: { some_key: 'some_value' },
    },
    lost: ['metadata.some_key'],
  },
  {
    vendor: 'terra',
    path: '/api/v1/orders',
    body: {
      client_order_reference_id: 'ORDER-1',
      collection_type: 'AT_HOME',
      items: [{ variant_id: CORE, quantity: 2 }],
      recipient: { ...person, phone_number: '+12175550101', date_of_birth: '1990-01-01', gender_at_birth: 'female' },
      shipping_address: {
        address_line_1: '1 Main Street',
        city: 'Springfield',
        administrative_area: 'IL',
        postal_code: '62701',
        country_code: 'US',
      },
    },
    lost: ['collection_type', 'recipient.date_of_birth', 'recipient.gender_at_birth'],
  },
  {
    vendor: 'thriva',
    path: '/v1/orders',
    body: {
      data: {
        type: 'order',
        attributes: {
          delivery_address: {
            name: 'Ada Example',
            line1: '3rd Floor',
            line2: '1 High Street',
            city: 'London',
            postcode: 'EC1Y 8AF',
            country: 'GB',
          },
          tests: [{ product_code: CORE, subject: { contact: person, date_of_birth: '1990-01-01', sex: 'female' } }],
        },
      },
    },
    lost: ['data.type', 'data.attributes.tests[].subject.date_of_birth', 'data.attributes.tests[].subject.sex'],
  },
]
