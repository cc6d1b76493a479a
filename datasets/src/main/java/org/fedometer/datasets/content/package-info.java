/** Bytes of datastreams: files, random bytes, scanned pages as PDF and TIFF. */
package org.fedometer.datasets.content;
