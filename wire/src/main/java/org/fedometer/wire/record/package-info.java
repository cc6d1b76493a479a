/**
 * The payloads that are measured and stored: samples, traces, requests, collections of garbage,
 * telemetry and log lines, each with an encoder, a decoder, and the consumer that a decoder feeds.
 * Behind their last field nothing may follow.
 */
package org.fedometer.wire.record;
