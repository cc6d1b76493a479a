/**
 * Interprets runs' data, with a package per subject: {@code report} (one run), {@code trace} (one
 * object), {@code logs}, {@code compare} (runs and profiles), {@code timeline}, {@code study}.
 * {@code statistics} estimates intervals; {@code text} and {@code html} format results. Reads the
 * store, changes nothing in it.
 */
package org.fedometer.analysis;
