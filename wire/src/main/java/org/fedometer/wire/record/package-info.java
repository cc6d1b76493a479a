/**
 * Payloads of measured data: samples, traces, requests, garbage collections, telemetry and log
 * lines. Each has an encoder, a decoder, and a consumer for the decoder. No bytes may follow their
 * last field.
 */
package org.fedometer.wire.record;
