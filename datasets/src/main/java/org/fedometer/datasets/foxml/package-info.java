/** The user's own FOXML 1.1 files, sent to Fedora unchanged. */
package org.fedometer.datasets.foxml;
